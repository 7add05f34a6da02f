import { runHarness } from '@anniversary/shared/harness/run-harness'
import { scenarios } from './fixtures.ts'
import HistoryPage from './HistoryPage.tsx'

runHarness({ pages: { '/histories': HistoryPage }, scenarios })
