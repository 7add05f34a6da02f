import { runHarness } from '@anniversary/shared/harness/run-harness'
import VuePage from './VuePage.tsx'

runHarness({ pages: { '/vue': VuePage }, scenarios: { 'Mặc định': {} } })
