import { renderToString } from 'react-dom/server'
import { CampaignPage } from '../CampaignPage.tsx'

/** The same page rendered on the server, where importing the element does nothing; its tag is sent as it is. */
export const render = (live: string): string => renderToString(<CampaignPage live={live} />)
