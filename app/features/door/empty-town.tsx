/** A town at the water before anybody posted: a postcard that nobody wrote yet. */
export function EmptyTown() {
  return (
    <svg viewBox="0 0 400 400" aria-hidden="true" className="door-town fill-none">
      {/* the card behind, and the one in front with its picture */}
      <g transform="rotate(7 200 200)">
        <rect
          x="70"
          y="52"
          width="262"
          height="296"
          rx="4"
          fillOpacity=".6"
          className="door-paper"
        />
      </g>
      <g transform="rotate(-3 200 200)">
        <rect x="58" y="48" width="284" height="316" rx="4" className="door-paper" />
        <svg x="72" y="62" width="256" height="236" viewBox="0 0 256 236">
          <rect width="256" height="236" fillOpacity=".12" className="door-sea" />
          <circle cx="186" cy="58" r="25" className="door-sun" />
          <path
            d="M28 52h52M14 62h42M96 34h34"
            strokeWidth="4"
            strokeLinecap="round"
            className="door-foam"
          />
          {/* hills, and the water they stand at */}
          <path
            d="M0 132q52-56 112-20 44 22 88-14 30-20 56 2v96H0z"
            fillOpacity=".25"
            className="door-sea"
          />
          <path d="M0 158q70-34 132-6 66 26 124-8v60H0z" fillOpacity=".40" className="door-sea" />
          <path d="M0 188h256v48H0z" fillOpacity=".70" className="door-sea" />
          <path
            d="M18 204q8-5 16 0t16 0M96 216q8-5 16 0t16 0M186 206q8-5 16 0t16 0"
            strokeWidth="2.5"
            strokeLinecap="round"
            className="door-foam"
          />
          {/* the lighthouse on its rock */}
          <path d="M196 190q4-16 22-16t24 16z" fillOpacity=".60" className="door-ink" />
          <path d="M210 176l4-62h10l4 62z" className="door-wall" />
          <path d="M212.6 134h12.800l1 16h-14.800z" className="door-red" />
          <path d="M212 114v-11h14v11zM210 104l9-9 9 9z" className="door-red" />
          <path d="M210 107l-58-9v20z" fillOpacity=".60" className="door-sun" />
          {/* houses along the quay, nobody home yet */}
          <g className="door-wall">
            <path d="M20 190v-34l15-13 15 13v34zM56 190v-46l13-11 13 11v46zM88 190v-30l16-14 16 14v30z" />
          </g>
          <path
            d="M17 158l18-16 18 16M53 146l16-14 16 14M85 162l19-17 19 17"
            strokeWidth="5"
            strokeLinejoin="round"
            strokeLinecap="round"
            className="door-red-line"
          />
          <path
            d="M30 172h9v18h-9zM62 154h5v7h-5zM71 154h5v7h-5zM62 168h5v7h-5zM71 168h5v7h-5zM100 172h9v18h-9z"
            fillOpacity=".55"
            className="door-ink"
          />
          {/* a boat waits for the mail */}
          <path d="M138 197h38l-7 12h-24z" fillOpacity=".75" className="door-ink" />
          <path d="M156 194v-32l18 28zM153 194v-24l-11 20z" className="door-wall" />
        </svg>
        <path
          d="M80 322h118M80 340h74"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray="1 9"
          strokeOpacity=".45"
          className="door-ink-line"
        />
        {/* where the date will stand */}
        <g strokeWidth="2" strokeLinecap="round" strokeOpacity=".50" className="door-ink-line">
          <circle cx="296" cy="330" r="20" />
          <circle cx="296" cy="330" r="13" />
          <path d="M228 322q6-5 12 0t12 0 12 0M228 331q6-5 12 0t12 0 12 0M228 340q6-5 12 0t12 0 12 0" />
        </g>
      </g>
    </svg>
  );
}
