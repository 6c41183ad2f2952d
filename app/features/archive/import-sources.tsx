/** How to get the file, in one sentence each. */
const sources = [
  [
    "Instagram",
    "In Accounts Center, choose “Your information and permissions”, then “Export your information”, with JSON as the format.",
  ],
  ["Mastodon", "In Preferences, choose “Import and export”, then “Request your archive”."],
  ["Pixelfed", "In your settings, choose “Data export”, then download your statuses."],
  ["Google Photos", "At takeout.google.com, choose Google Photos alone, and zip as the file type."],
  ["Flickr", "In your account settings, choose “Request my Flickr data”."],
  ["A folder", "Make a zip file of it: each photo becomes a post of the day it was taken."],
  ["Another Postcard", "There, in Settings, Your data, choose “Make my archive”."],
] as const;

/** What may be brought; it opens without scripts, too. */
export function ImportSources() {
  return (
    <details className="w-full text-sm">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        How to get your file
      </summary>
      <dl className="grid gap-2">
        {sources.map(([name, how]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-pretty text-muted">{how}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
