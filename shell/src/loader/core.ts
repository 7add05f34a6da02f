import { IDS } from '@anniversary/shared/contract/page-names'
import { routePath } from './base-path.ts'
import { provideLoader } from './bootstrap.ts'
import { noteArrivedFile } from './load-file.ts'
import { createLoader } from './loader.ts'
import { readPageData } from './page-data.ts'

/** The first script of a page: the loader, without React. */
const page = readPageData()
const loader = createLoader(page)
const first = loader.composition.routes.now()[routePath()]?.remote
if (first) {
  // The page holds the styles of its first view (docs/decisions/0007): those of
  // the current release, never of a canary.
  const { current } = page.composition.remotes[first.name] ?? {}
  if (document.getElementById(IDS.firstStyles))
    for (const { url } of current?.exposes[first.expose]?.css ?? []) noteArrivedFile(url)
  void loader.pages.load(first.name, first.expose)
}

provideLoader(loader)
