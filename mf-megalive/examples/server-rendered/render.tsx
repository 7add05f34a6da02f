import { renderToString } from 'react-dom/server'
import { CampaignPage } from '../CampaignPage.tsx'

/** The same page, made on the server: importing the element there is harmless, and its tag goes out as it is. */
export const render = (live: string): string => renderToString(<CampaignPage live={live} />)
