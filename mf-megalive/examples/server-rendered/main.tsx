import { hydrateRoot } from 'react-dom/client'
import { CampaignPage } from '../CampaignPage.tsx'

const root = document.getElementById('root')
if (root) {
  hydrateRoot(root, <CampaignPage live={root.dataset.live ?? ''} />, {
    // React threw the server's markup away: the page shows it, and the tests look at it.
    onRecoverableError: (error) => root.setAttribute('data-mismatch', String(error)),
  })
}
