import { plainText } from './plain-text.ts'

/**
 * Why a text is no link of a post: `foreign` leads elsewhere, `same` to the
 * post of an earlier link.
 */
type LinkProblem = 'empty' | 'foreign' | 'no-post' | 'several' | 'too-long' | 'same'

type LinkReading =
  | {
      /** The address within the text. */
      readonly link: string
      /** The page that it leads to, equal for every spelling of one page. */
      readonly page: string
      readonly problem?: undefined
    }
  | {
      readonly problem: LinkProblem
      /** With `same`: the number of the earlier link, from 1. */
      readonly sameAs?: number
    }

/** Longer addresses are not links of posts. */
export const LONGEST_LINK = 2048

const ADDRESSES = /https?:\/\/(?:(?!https?:\/\/)[^\s<>"])+/gi
const TRAILING_SIGNS = /[)\]}.,;:!?*'|…]+$/
const LEADING_SIGNS = /^[([{*'|]+/

/** Also two that stand together without a blank. */
export const linkAddressesIn = (text: string): readonly string[] =>
  (
    plainText(text)
      .replace(/(https?:\/\/) +/gi, '$1')
      .match(ADDRESSES) ?? []
  ).map((address) => address.replace(TRAILING_SIGNS, ''))

const bareAddressesIn = (text: string, host: string): readonly string[] =>
  plainText(text)
    .split(/[\s,;<>"]+/)
    .map((word) => word.replace(LEADING_SIGNS, '').replace(TRAILING_SIGNS, ''))
    .filter((word) => word.toLowerCase().includes(host) && !/^[a-z][a-z0-9+.-]*:/i.test(word))
    .map((word) => `https://${word}`)

/**
 * Pages of Facebook that only lead on to another one, which a parameter names.
 */
const LEADS_ON = /^\/(l\.php|login|checkpoint|flx\/warn|recover|cookie\/consent)(\/|\.php|$)/i
/** Pages of Facebook that show no post by themselves. */
const SHOWS_NO_POST = /^\/(share\.php|sharer|dialog|home\.php|plugins)(\/|\.php|$)/i

/**
 * The query parameters that name a post, by the first part of Facebook's path.
 */
const NAMES_ON_FACEBOOK: ReadonlyMap<string, readonly string[]> = new Map([
  ['story', ['story_fbid', 'id']],
  ['permalink', ['story_fbid', 'id']],
  ['profile', ['id']],
  ['photo', ['fbid']],
  ['video', ['v']],
  ['watch', ['v']],
  ['media', ['set']],
  ['groups', ['multi_permalinks', 'id']],
])
/**
 * The same for other hosts. Further parameters are tracking, or were added to
 * make links differ.
 */
const NAMES_ELSEWHERE = ['id', 'fbid', 'story_fbid', 'multi_permalinks', 'set', 'v', 'p']

function belongsTo(host: string, { hostname, protocol, username, password }: URL): boolean {
  const isWeb = /^https?:$/.test(protocol)
  const isHost = hostname === host || hostname.endsWith(`.${host}`)
  return isWeb && isHost && username === '' && password === ''
}

/** Not `URL.canParse`, which Safari before 17 and Chrome before 120 lack. */
function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Follows the redirects and login pages that Facebook puts before a post. */
function followed(address: string, host: string): URL | undefined {
  let url = parsedUrl(address)
  for (let step = 0; step < 3 && url && belongsTo(host, url); step++) {
    if (!LEADS_ON.test(url.pathname)) return url
    const next: string | null = url.searchParams.get('u') ?? url.searchParams.get('next')
    if (next === null) return url
    const after: URL | undefined = parsedUrl(next, url.href)
    if (!after) return url
    url = after
  }
  return url
}

function decodedEscapes(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}

/**
 * Without percent escapes and control characters, of which Postgres stores no
 * NUL, and with one form of the same letters.
 */
const plainPath = (path: string): string =>
  plainText(path.replace(/(%[0-9a-f]{2})+/gi, decodedEscapes))
    .replace(/[\s\p{Cc}]/gu, '')
    .split('/')
    .filter(Boolean)
    .join('/')
    .toLowerCase()

function pageOf(url: URL, host: string): { page: string } | { problem: LinkProblem } {
  if (!belongsTo(host, url)) return { problem: 'foreign' }
  const isFacebook = host === 'facebook.com'
  const path = plainPath(url.pathname)
  if (path === '') return { problem: 'no-post' }
  const showsNoPost = LEADS_ON.test(`/${path}`) || SHOWS_NO_POST.test(`/${path}`)
  if (isFacebook && showsNoPost) return { problem: 'no-post' }

  const [first = ''] = path.split(/[/.]/)
  const names = isFacebook ? (NAMES_ON_FACEBOOK.get(first) ?? []) : NAMES_ELSEWHERE
  const query = new URLSearchParams(
    [...url.searchParams].filter(([name, value]) => names.includes(name) && value !== ''),
  )
  query.sort()
  const post = path.replace(/^(\w+)\.php$/, '$1').replace('/permalink/', '/posts/')
  // Without `size`, which Chrome before 113 and Safari before 17 lack.
  const page = `${host}/${isFacebook ? post : path}?${query}`.replace(/\?$/, '')
  return { page: page.toLowerCase() }
}

function readShareLink(text: string, shareHost: string): LinkReading {
  if (plainText(text) === '') return { problem: 'empty' }
  const host = shareHost.toLowerCase()
  const addresses = linkAddressesIn(text)
  const found = addresses.length > 0 ? addresses : bareAddressesIn(text, host)
  const pages = new Map<string, LinkReading>()
  let problem: LinkProblem = 'foreign'
  for (const link of found) {
    if (link.length > LONGEST_LINK) return { problem: 'too-long' }
    const url = followed(link, host)
    if (!url) continue
    const reading = pageOf(url, host)
    if ('page' in reading) pages.set(reading.page, { link, page: reading.page })
    else if (reading.problem === 'no-post') problem = 'no-post'
  }
  const [page, ...others] = pages.values()
  if (others.length > 0) return { problem: 'several' }
  return page ?? { problem }
}

/**
 * Reads the links of the share mission: each text must hold the link of one
 * post of the share host, and no two of the same post. A title beside the link,
 * brackets, Facebook's redirects and login pages, and tracking are ignored.
 */
export function readShareLinks(
  texts: readonly string[],
  shareHost: string,
): readonly LinkReading[] {
  const seen = new Map<string, number>()
  return texts.map((text, index) => {
    const reading = readShareLink(text, shareHost)
    if (reading.problem !== undefined) return reading
    const first = seen.get(reading.page)
    if (first !== undefined) return { problem: 'same', sameAs: first + 1 }
    seen.set(reading.page, index)
    return reading
  })
}

const PROBLEM_TEXTS: Readonly<Record<LinkProblem, string>> = {
  empty: 'Chưa có link',
  foreign: 'Link phải chứa',
  'no-post': 'Link này không dẫn đến một bài đăng',
  several: 'Mỗi ô chỉ dán một link',
  'too-long': 'Link quá dài',
  same: 'Link này trùng với link',
}

export function linkProblemText(
  reading: LinkReading | undefined,
  shareHost: string,
): string | undefined {
  if (reading?.problem === undefined) return undefined
  const text = PROBLEM_TEXTS[reading.problem]
  if (reading.problem === 'same') return `${text} ${reading.sameAs}`
  if (reading.problem === 'foreign') return `${text} ${shareHost}`
  return text
}

export function firstLinkProblem(texts: readonly string[], shareHost: string): string | undefined {
  const readings = readShareLinks(texts, shareHost)
  const index = readings.findIndex(({ problem }) => problem !== undefined)
  const text = linkProblemText(readings[index], shareHost)
  return text && `Link ${index + 1}: ${text}`
}
