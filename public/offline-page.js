// Of the pages that the service worker shows while the server cannot be reached: they run nothing else.
// It writes the time alone while the day is the same, and says when the server is back.

const asked = "/robots.txt";
const everyMs = 20_000;

for (const time of document.querySelectorAll("time[data-kept]")) {
  const at = new Date(time.dateTime);
  const today = at.toDateString() === new Date().toDateString();
  if (today && time.dataset.kept) time.textContent = time.dataset.kept;
}

async function look() {
  if (document.visibilityState === "hidden") return;
  const answer = await fetch(asked, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  // Nothing is read here that could be lost.
  if (document.documentElement.dataset.kept === "notice") return location.reload();
  for (const part of document.querySelectorAll("[data-while]")) {
    part.hidden = part.dataset.while !== "back";
  }
}

addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, everyMs);
