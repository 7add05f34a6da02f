import look from '@anniversary/shared/campaign/embed.json' with { type: 'json' }

/** The campaign's colours are the defaults. */
const colour = (name: keyof typeof look) => `var(--mega-live-${name},${look[name]})`
const [ground, ink, accent, line] = [
  colour('ground'),
  colour('ink'),
  colour('accent'),
  colour('line'),
]

/**
 * `all: initial` keeps the page's styles out. The hint waits a second, because
 * a page posts 'ready' just after its `load`. Name and hint must not make the
 * bar grow. The page sets the width: one here would squeeze or wrap neighbours
 * in a flex row.
 */
const css = `
:host{display:block;height:640px;min-height:280px}
:host([hidden]){display:none}
.root{all:initial;visibility:inherit;pointer-events:inherit;direction:ltr;isolation:isolate;box-sizing:border-box;display:grid;grid-template:auto minmax(0,1fr)/minmax(0,1fr);height:100%;overflow:hidden;border-radius:var(--mega-live-radius,0);background:${ground};color:${ink};font:medium/1.5 var(--mega-live-font,system-ui,sans-serif)}
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;column-gap:8px;padding:2px 8px;border-bottom:1px solid ${line}}
a,button{box-sizing:border-box;display:inline-flex;align-items:center;gap:6px;min-height:44px;padding:0 10px;border-radius:8px;color:${accent};font:inherit;font-size:.9375em;font-weight:600;line-height:1.3;text-underline-offset:.25em;cursor:pointer}
.back{margin-inline-end:auto;text-decoration:none}
.back::before{content:"\\2039";content:"\\2039"/"";font-size:1.4em;line-height:.8}
[data-phase=fallback] .open,[data-phase=blocked] .open{padding:0 24px;background:${ink};color:${ground};text-decoration:none}
:focus-visible{outline:3px solid ${accent};outline-offset:-3px}
.name{flex:1;max-height:2.4em;overflow:hidden;font-size:.9375em;font-weight:700;line-height:1.2;text-align:center;text-wrap:balance}
@media(max-width:27em){.bar{column-gap:0;padding:2px 4px;font-size:.875em}.bar a,.bar button{padding:0 6px}}
@media(max-width:21.5em){.name{visibility:hidden}.hint{display:none}}
.hint{flex:1 1 5em;font-size:.875em;line-height:1.2;text-align:end;text-wrap:balance;opacity:.85}
.hint,.bar button{animation:late 1s}
.stage{position:relative}
.stage>*{position:absolute;top:0;left:0;box-sizing:border-box;width:100%;height:100%}
iframe{border:0;background:#fff}
.cover{display:grid;place-content:center;justify-items:center;gap:16px;padding:16px;background:${ground};text-align:center}
.spinner{width:44px;height:44px;box-sizing:border-box;border:4px solid ${line};border-top-color:${accent};border-radius:50%;animation:turn 1.1s linear infinite}
.fallback{display:flex;flex-direction:column;background:${ground}}
.message{flex:3 0 auto;display:grid;place-content:center;justify-items:center;gap:14px;padding:24px 16px}
[part=strip]{flex:none;grid-auto-flow:column;align-items:center;padding:8px 16px}
p{margin:0;max-width:32em;text-align:center;text-wrap:balance}
button{border:1px solid;background:none}
.bar button{border:0;text-decoration:underline}
object,embed{display:block;flex:2;width:100%;height:100%;min-height:0;border:0}
[hidden]{display:none}
@keyframes late{from,to{display:none}}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.spinner{animation-duration:4s}}
`

let shared: CSSStyleSheet | undefined

/**
 * Safari before 16.4 and Firefox before 101 have no constructed sheets, and
 * need 'unsafe-inline' in a page's policy.
 */
export function applySheet(root: ShadowRoot): void {
  if ('adoptedStyleSheets' in root && 'replaceSync' in CSSStyleSheet.prototype) {
    if (!shared) {
      shared = new CSSStyleSheet()
      shared.replaceSync(css)
    }
    root.adoptedStyleSheets = [shared]
    return
  }
  const style = document.createElement('style')
  style.textContent = css
  root.append(style)
}
