import * as words from "#messages/data.json";

/** How to get the file, in one sentence each. */
const sources = [
  ["Instagram", words.instagramHow],
  ["Mastodon", words.mastodonHow],
  ["Pixelfed", words.pixelfedHow],
  ["Google Photos", words.googleHow],
  ["Flickr", words.flickrHow],
  [words.folder, words.folderHow],
  [words.anotherPostcard, words.anotherPostcardHow],
] as const;

/** What may be brought; it opens without scripts, too. */
export function ImportSources() {
  return (
    <details className="w-full text-sm">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        {words.howToGetFile}
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
