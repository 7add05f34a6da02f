import { type Html, html } from '../html.ts'
import type { Measure, Role, VersionHealth } from '../reports/version-health.ts'
import { HOURS } from './state.ts'

export interface ChartOptions {
  readonly title: string
  readonly measure: Measure
  /** Lower limit for the top of the scale, so that noise looks small. */
  readonly least: number
  /** One for each version; its role decides the colour. */
  readonly lines: readonly { readonly role: Role; readonly hours: readonly VersionHealth[] }[]
  /** Times at which another version or a canary went live; milliseconds, as `now`. */
  readonly changes: readonly number[]
  readonly now: number
}

const [WIDTH, HEIGHT] = [340, 190]
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 332, 10, 170]
const HOUR = 3_600_000

/** The last `HOURS`, one line for each version. The table beside it has their figures in words. */
export function chart({ title, measure: { unit, of }, least, lines, changes, now }: ChartOptions): Html {
  const values = lines.flatMap(({ hours }) => hours.map((hour) => of(hour)?.value ?? 0))
  const top = roundUp(Math.max(least, ...values))
  const x = (time: number) => (RIGHT - ((RIGHT - LEFT) * (now - time)) / (HOURS * HOUR)).toFixed(1)
  const y = (value: number) => (BOTTOM - ((BOTTOM - TOP) * value) / top).toFixed(1)
  const isShown = (time: number) => time >= now - HOURS * HOUR
  const drawn = lines.map(({ role, hours }) => {
    const places = hours.flatMap((hour) => {
      const value = of(hour)?.value
      // An hour's figures are drawn at its middle, those of the running hour at its end.
      const time = Math.min(now, Date.parse(hour.firstHour) + HOUR / 2)
      return value !== undefined && isShown(time) ? `${x(time)} ${y(value)}` : []
    })
    // Ends in a line without length, which shows a single hour as a dot.
    return places.length > 0 && html`<path class="${role}" d="M${places.join('L')}h0"/>`
  })
  return html`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}, by hour and version">
${[0, top / 2, top].map(
  (value) => html`<path d="M${LEFT} ${y(value)}H${RIGHT}"/>
<text x="${LEFT - 6}" y="${Number(y(value)) + 4}" text-anchor="end">${unit(value)}</text>`,
)}
<text x="${LEFT}" y="${HEIGHT - 4}">${HOURS} h ago</text>
<text x="${RIGHT}" y="${HEIGHT - 4}" text-anchor="end">now</text>
${changes.filter(isShown).map((at) => html`<path stroke-dasharray="2 3" d="M${x(at)} ${TOP}V${BOTTOM}"/>`)}
${drawn}
</svg>
</figure>`
}

/** The next of 1, 2, 4, 6 and 8 times a power of ten, so that the scale reads well. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8].find((step) => step * power >= value * 0.999) ?? 10) * power
}
