import { svg } from './dom.ts'
import { shortVersion } from './format.ts'

/** What a version is at the moment, which is its colour. */
export type Role = 'current' | 'canary' | 'earlier'

export interface Line {
  readonly version: string
  readonly role: Role
  readonly points: readonly { readonly hour: string; readonly value: number }[]
}

export interface ChartOptions {
  readonly title: string
  readonly unit: (value: number) => string
  /** The least that the scale reaches, so that noise looks small. */
  readonly least: number
  readonly lines: readonly Line[]
  /** Times at which another version or a canary went live. */
  readonly changes: readonly string[]
  /** The newest moment, and how many hours before it begin the picture. */
  readonly end: string
  readonly hours: number
}

const [WIDTH, HEIGHT] = [340, 132]
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 8, 10, 20]
const HOUR = 3_600_000

/** Lines over time, one for each version, with a text that says the same. */
export function chart({ title, unit, least, lines, changes, end, hours }: ChartOptions): SVGSVGElement {
  const now = Date.parse(end)
  const top = roundUp(Math.max(least, ...lines.flatMap(({ points }) => points.map(({ value }) => value))))
  const x = (time: number) => LEFT + (WIDTH - LEFT - RIGHT) * (1 - (now - time) / (hours * HOUR))
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const onScale = (time: number) => x(time) >= LEFT && time <= now
  return svg(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': told(title, unit, lines),
    },
    ...[0, 0.5, 1].flatMap((share) => {
      const value = top * share
      return [
        svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        svg('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, unit(value)),
      ]
    }),
    ...[hours, hours / 2, 0].map((back) =>
      svg(
        'text',
        {
          x: x(now - back * HOUR),
          y: HEIGHT - 4,
          'text-anchor': back === hours ? 'start' : back === 0 ? 'end' : 'middle',
        },
        back === 0 ? 'now' : `${back} h ago`,
      ),
    ),
    ...changes
      .map((at) => Date.parse(at))
      .filter(onScale)
      .map((at) => svg('line', { class: 'change', x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM })),
    ...lines.map(({ role, points }) => {
      // An hour's figures stand in its middle; those of the running hour at its end.
      const places = points
        .map(({ hour, value }) => [Math.min(now, Date.parse(hour) + HOUR / 2), value] as const)
        .filter(([time]) => onScale(time))
        .map(([time, value]) => [x(time).toFixed(1), y(value).toFixed(1)] as const)
      return svg(
        'g',
        { class: role },
        svg('polyline', { points: places.map((place) => place.join()).join(' ') }),
        ...places.slice(-1).map(([cx, cy]) => svg('circle', { cx, cy, r: 3.5 })),
      )
    }),
  )
}

/** The next of 1, 2, 4, 6 and 8 times a power of ten, so that the scale reads well. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8].find((step) => step * power >= value * 0.999) ?? 10) * power
}

/** How a version's line looks, for a table's head. */
export const swatch = (role: Role): SVGSVGElement =>
  svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 24 8', 'aria-hidden': 'true' },
    svg('g', { class: role }, svg('polyline', { points: '0,4 24,4' })),
  )

function told(title: string, unit: (value: number) => string, lines: readonly Line[]): string {
  const each = lines.flatMap(({ version, role, points }) => {
    const values = points.map(({ value }) => value)
    const last = values.at(-1)
    return last === undefined
      ? []
      : `${shortVersion(version)} (${role}): from ${unit(Math.min(...values))} to ${unit(Math.max(...values))}, last ${unit(last)}`
  })
  return `${title}, by hour. ${each.join('. ') || 'Nothing was measured'}.`
}
