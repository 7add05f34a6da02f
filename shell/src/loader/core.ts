import { routePath } from './base-path.ts'
import { handOver } from './handover.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'

/** The first script of the page: the loader, without React. */
const page = readPageData()
const loader = createLoader(page)
const first = loader.routes.now()[routePath()]?.remote
if (first) void loader.load(first.name, first.expose)

handOver({ loader, ...page })
