import { runHarness } from '@anniversary/shared/harness/run-harness'
import { scenarios } from './fixtures.ts'
import HomePage from './HomePage.tsx'

runHarness({ pages: { '/home': HomePage }, scenarios })
