import { runHarness } from '@anniversary/shared/harness/run-harness'
import { scenarios } from './fixtures.ts'
import MegalivePage from './MegalivePage.tsx'

runHarness({ pages: { '/megalive': MegalivePage }, scenarios })
