import type { PageComponent } from '../../shell/src/loader/remote-loader.ts'

/** The remotes' pages, each a chunk of the bundle, by their exposes (shell/routes.json). */
export const pages: Readonly<Record<string, () => Promise<{ default: PageComponent }>>> = {
  './MegalivePage': () =>
    import(/* webpackChunkName: "MegalivePage" */ '../../mf-megalive/src/MegalivePage.tsx'),
  './LoginPage': () => import(/* webpackChunkName: "LoginPage" */ '../../mf-auth/src/LoginPage.tsx'),
  './CheckPage': () => import(/* webpackChunkName: "CheckPage" */ '../../mf-auth/src/CheckPage.tsx'),
  './HomePage': () => import(/* webpackChunkName: "HomePage" */ '../../mf-missions/src/HomePage.tsx'),
  './HistoryPage': () => import(/* webpackChunkName: "HistoryPage" */ '../../mf-history/src/HistoryPage.tsx'),
}
