import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { hostApi, reports, writeReport } from './host-api.ts'

/** `npm run host-api`: writes the report of a new version of the host contract. */
try {
  writeReport(reports, HOST_CONTRACT, hostApi())
} catch (error) {
  console.error(String(error))
  process.exitCode = 1
}
