import { defineMegaLive } from './element/define.ts'

// The whole script tag way: the element is there once this has run, whether the page's elements come before or after.
defineMegaLive()
