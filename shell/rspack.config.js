import { host } from '@anniversary/build'
import routes from './routes.json' with { type: 'json' }
import site from './site.json' with { type: 'json' }

export default host({ dir: import.meta.dirname, routes, site })
