import { runHarness } from '@anniversary/shared/harness/run-harness'
import CheckPage from './CheckPage.tsx'
import { scenarios } from './fixtures.ts'
import LoginPage from './LoginPage.tsx'

runHarness({ pages: { '/login': LoginPage, '/check': CheckPage }, scenarios })
