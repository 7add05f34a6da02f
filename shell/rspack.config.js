import { host } from '@anniversary/build'
import event from '@anniversary/shared/campaign/texts.json' with { type: 'json' }
import routes from './routes.json' with { type: 'json' }

export default host({ dir: import.meta.dirname, routes, site: event })
