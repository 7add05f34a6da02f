import { IDS } from './page-names.ts'

/**
 * Attribute of a root that shows HTML from build time: the entry of the release
 * that rendered it; empty: the host.
 */
export const PRERENDERED = 'data-prerendered'

/** Enclose the place of a remote's page in the host's HTML of a route. */
export const PLACE_MARKS = { start: '<!--page-->', end: '<!--/page-->' }

/**
 * No pattern may take more than linear time: a build may come from anybody who
 * has a token. A function, so that the bundles of pages, which use the names
 * above alone, leave it out.
 */
const faults = (): readonly [pattern: RegExp, fault: string][] => [
  [
    new RegExp(`[\\s"'/]id\\s*=\\s*["']?(${Object.values(IDS).join('|')})["'\\s/>]`, 'i'),
    "an id of the host's page: give the element another",
  ],
  [
    // React writes a template for what suspends, which has a fault of its own.
    /<(base|embed|frame|iframe|link|meta|object)\b|(?<!<!--\$[!?]-->)<template\b/i,
    'an element that changes or embeds pages: add it in an effect',
  ],
  [
    /<(form|img)\b[^<>]*[\s"'/]name\s*=/i,
    'a name that hides a member of the document: leave it out',
  ],
  [/[\s"'/](form)?action\s*=(?!"(\/(?!\/)[\w/-]*)?")/i, 'a form that leads off the site'],
  [/="_R_|="_r_/, 'an id of useId() differs in the host: give the element an id of its own'],
  [/<[^<>]+ style=/, "the pages' policy refuses style attributes: use a class"],
  [/<script/i, "the pages' policy refuses scripts in HTML"],
  [/<[^<>]+[\s"'/]on[a-z]+\s*=/i, "the pages' policy refuses handlers in HTML"],
  [/<!--\$[!?]-->/, 'it suspends: load what comes later by useChunk'],
]

/**
 * Why the HTML of a page would not hydrate, or not pass the pages' policy.
 * Empty: it would.
 */
export const prerenderFaults = (html: string): string[] =>
  faults()
    .filter(([pattern]) => pattern.test(html))
    .map(([, fault]) => fault)
