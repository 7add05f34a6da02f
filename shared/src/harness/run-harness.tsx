import '../tokens.css'
import '../reset.css'
import './harness.css'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageProps } from '../contract/host.ts'
import type { FakeHostOptions } from '../testing/fake-host.ts'
import { Harness } from './Harness.tsx'

export interface HarnessOptions {
  /** The remote's pages by the path on which the shell shows them. */
  readonly pages: Readonly<Record<string, ComponentType<PageProps>>>
  /** Named states to look at, each a set of answers for the fake host. */
  readonly scenarios: Readonly<Record<string, FakeHostOptions>>
}

/** Shows a remote's pages alone: a fake host and fixtures, or the real API of a running `npm start`. */
export function runHarness(options: HarnessOptions): void {
  const element = document.getElementById('harness')
  if (!element) throw new Error('harness.html has no #harness')
  createRoot(element).render(<Harness {...options} />)
}
