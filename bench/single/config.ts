import type { PublicConfig } from '@anniversary/shared/contract/config'

/** As the demo site's, without Zod in the bundle. */
export const config: PublicConfig = {
  apiBase: '/api',
  site: 'ANNIVERSARY',
  shareHost: 'facebook.com',
  megaliveUrl: '/megalive-sample.html',
}
