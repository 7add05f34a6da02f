import { type Dispatch, type SetStateAction, useLayoutEffect, useState } from 'react'
import { PRERENDERED } from '../contract/prerendered.ts'

/** Inputs of a prerendered page whose code has not taken over; none where nothing was prerendered. */
const inputsOf = (selector: string): readonly HTMLInputElement[] =>
  typeof document === 'undefined'
    ? []
    : [...document.querySelectorAll(`[${PRERENDERED}] :is(${selector})`)].filter(
        (element) => element instanceof HTMLInputElement,
      )
const valuesOf = (inputs: readonly HTMLInputElement[]): readonly string[] => inputs.map(({ value }) => value)

/**
 * State that starts with what a member has typed into a prerendered page before its code was there.
 * @param selector of inputs, by an id or name of the page's own
 * @param read the state for their values; for none, the page's first state
 */
export function useTypedBefore<State>(
  selector: string,
  read: (values: readonly string[]) => State,
): [State, Dispatch<SetStateAction<State>>] {
  const [before] = useState(() => valuesOf(inputsOf(selector)))
  const [state, setState] = useState(() => read(before))
  // biome-ignore lint/correctness/useExhaustiveDependencies: hydration happens once
  useLayoutEffect(() => {
    const inputs = inputsOf(selector)
    // Hot reload runs effects again, long after.
    if (inputs.length === 0) return
    // Filled in between the first render and its commit; in an untouched input React has put the default value.
    const isLate = inputs.some(
      ({ type, value, defaultValue }, index) =>
        value !== before[index] && (type === 'radio' || value !== defaultValue),
    )
    // Always a new state: it also clears what was pasted into the first box, which hydration leaves there.
    setState(read(isLate ? valuesOf(inputs) : before))
  }, [])
  return [state, setState]
}
