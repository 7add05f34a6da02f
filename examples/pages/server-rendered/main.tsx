import { hydrateRoot } from 'react-dom/client'
import { CampaignPage } from '../CampaignPage.tsx'

const root = document.getElementById('root')
if (root) {
  hydrateRoot(root, <CampaignPage live={root.dataset.live ?? ''} />, {
    // React has discarded the server's markup; the tests read this.
    onRecoverableError: (error) => root.setAttribute('data-mismatch', String(error)),
  })
}
