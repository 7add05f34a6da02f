import { defineMegaLive } from './element/define.ts'

// The script tag: it upgrades the elements that the page has already, and those that come later.
defineMegaLive()
