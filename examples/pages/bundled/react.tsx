import { createRoot } from 'react-dom/client'
import { CampaignPage } from '../CampaignPage.tsx'

const root = document.getElementById('root')
if (root) createRoot(root).render(<CampaignPage live={root.dataset.live ?? ''} />)
