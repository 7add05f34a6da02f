import { runHarness } from '@anniversary/shared/harness/run-harness'
import { scenarios } from './fixtures.ts'
import TemplatePage from './TemplatePage.tsx'

runHarness({ pages: { '/template': TemplatePage }, scenarios })
