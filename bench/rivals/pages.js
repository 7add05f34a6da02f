import shell from '@anniversary/shared/campaign/routes.json' with { type: 'json' }
import auth from '../../mf-auth/routes.json' with { type: 'json' }
import history from '../../mf-history/routes.json' with { type: 'json' }
import megalive from '../../mf-megalive/routes.json' with { type: 'json' }
import missions from '../../mf-missions/routes.json' with { type: 'json' }

/** The pages of each remote, by the name of the expose. */
export const REMOTES = {
  'mf-megalive': { MegalivePage: '../../mf-megalive/src/MegalivePage.tsx' },
  'mf-auth': {
    LoginPage: '../../mf-auth/src/LoginPage.tsx',
    CheckPage: '../../mf-auth/src/CheckPage.tsx',
  },
  'mf-missions': { HomePage: '../../mf-missions/src/HomePage.tsx' },
  'mf-history': { HistoryPage: '../../mf-history/src/HistoryPage.tsx' },
}

export const ROUTES = { ...shell, ...megalive, ...auth, ...missions, ...history }

/** `/login` → `LoginPage`; undefined for the landing page. */
export const pageOf = (route) => ROUTES[route].expose?.slice(2)

/** The files in public/ of the campaign, which every contestant serves. */
export const CAMPAIGN_FILES = '../../shared/campaign/public'
