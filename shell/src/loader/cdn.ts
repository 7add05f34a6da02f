/*
 * A second origin with the same files, which pages ask first. What does not come from there comes from the page's own
 * origin: its hash makes both the same.
 */

let cdn: string | undefined
/** Set by the first file that did not come. */
let isDown = false

/** @param origin without a slash at its end; undefined: there is none */
export function setCdn(origin: string | undefined): void {
  cdn = origin
  isDown = false
}

const isFromCdn = (url: string): boolean => cdn !== undefined && url.startsWith(`${cdn}/`)

export const asksCdn = (url: string): boolean => !isDown && isFromCdn(url)

/** From now on its files come from the page's own origin. */
export function giveUpCdn(): void {
  isDown = true
}

/** Address of a file of the CDN on the page's own origin; of any other file its own. */
export const ownUrl = (url: string): string => (cdn && isFromCdn(url) ? url.slice(cdn.length) : url)

export const addressOf = (url: string): string => (asksCdn(url) ? url : ownUrl(url))

/** Address on the CDN of a file of the page's own origin. */
export const cdnUrls = (path: string): readonly string[] => (cdn ? [cdn + path] : [])
