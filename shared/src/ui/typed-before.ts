import { PRERENDERED } from '../contract/prerendered.ts'

/**
 * What a member has typed into a prerendered page before its code was there. A page starts its state with it.
 * @param selector of inputs, by an id or name of the page's own
 * @returns their values; empty where nothing was prerendered
 */
export const typedBefore = (selector: string): readonly string[] =>
  typeof document === 'undefined'
    ? []
    : [...document.querySelectorAll<HTMLInputElement>(`[${PRERENDERED}] :is(${selector})`)].map(
        ({ value }) => value,
      )
