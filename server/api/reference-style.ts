/** The look of the reference page, in both themes: it has no script and needs no built file. */
export const referenceStyle = `
:root { --back: #fff; --panel: #f5f5f6; --line: #dcdce0; --text: #18181b; --quiet: #52525b;
  --link: #4338ca; --get: #1d4ed8; --post: #15803d; --put: #a16207; --patch: #7e22ce;
  --delete: #b91c1c; --badge: #fff; color-scheme: light }
[data-theme="synthwave"] { --back: #1a103d; --panel: #241852; --line: #43337d; --text: #f4f0ff;
  --quiet: #c3b6ee; --link: #ff9bd6; --get: #8bd8ff; --post: #8df0b8; --put: #ffe08a;
  --patch: #d9b8ff; --delete: #ffa8a8; --badge: #1a103d; color-scheme: dark }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem; text-size-adjust: 100% }
body { margin: 0; background: var(--back); color: var(--text);
  font: 1rem/1.6 "Inter Variable", Inter, system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link); text-underline-offset: .2em }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .25rem }
header { padding: 1.5rem clamp(1rem, 4vw, 3rem); border-bottom: 1px solid var(--line) }
header p { margin: 0 } h1 { margin: .25rem 0 0; font-size: clamp(1.6rem, 4vw, 2.25rem); line-height: 1.2 }
h2 { margin: 3rem 0 1rem; font-size: 1.5rem; line-height: 1.25 }
h3 { margin: 0; font-size: 1.15rem; line-height: 1.3 } h4 { margin: 1.25rem 0 .5rem; font-size: .95rem }
.page { display: grid; gap: 0 3rem; padding: 0 clamp(1rem, 4vw, 3rem) 4rem; max-width: 80rem; margin: 0 auto }
main { min-width: 0; padding-top: 1.5rem } main > p { max-width: 42rem }
.side { display: none } .menu { margin-top: 1rem }
summary { padding: .6rem .9rem; min-height: 2.75rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
.contents, .contents ul { list-style: none; margin: 0; padding: 0 }
.contents > li { margin-top: 1rem } .contents > li > a { font-weight: 600 }
.contents a { display: block; padding: .3rem 0; color: inherit; text-decoration: none; font-size: .9rem }
.contents ul a { display: grid; grid-template-columns: 4.2rem 1fr; gap: .6rem; align-items: baseline }
.contents ul a:not(:has(.method)) { display: block }
.contents a:hover { text-decoration: underline }
.call { margin: 1rem 0; padding: 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: .75rem }
.call:has(:target) { border-color: var(--link); box-shadow: 0 0 0 1px var(--link) }
.call p { margin: .5rem 0; max-width: 42rem }
.line { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline }
.method { display: inline-block; min-width: 3.6rem; padding: .05rem .4rem; border-radius: .3rem; background: var(--get);
  color: var(--badge); font-size: .72rem; font-weight: 700; text-align: center; letter-spacing: .03em }
.post { background: var(--post) } .put { background: var(--put) } .patch { background: var(--patch) } .delete { background: var(--delete) }
.who { color: var(--quiet); font-size: .85rem }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--back); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: normal }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse; font-size: .9rem }
th, td { padding: .4rem .75rem .4rem 0; text-align: start; vertical-align: top; border-top: 1px solid var(--line) }
thead th { border-top: 0; color: var(--quiet); font-weight: 500 } tbody th { font-weight: 400 }
th:first-child { min-width: 9rem } td { min-width: 6rem }
.optional { display: block; color: var(--quiet); font-size: .8rem }
.skip { position: absolute; left: -99rem; padding: .75rem 1rem; background: var(--back) } .skip:focus { left: .5rem; top: .5rem }
@media (max-width: 40rem) {
  .call { padding: 1rem } thead { position: absolute; left: -99rem }
  tr, tbody th, td { display: block; padding: 0; border: 0 } td:empty { display: none }
  tr { padding: .6rem 0; border-top: 1px solid var(--line) } tbody tr:first-child { border: 0; padding-top: 0 }
  .optional { display: inline }
}
@media (min-width: 60rem) {
  .page { grid-template-columns: 17rem minmax(0, 1fr) } .menu { display: none }
  .side { display: block; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: .5rem 0 2rem }
}
`;
