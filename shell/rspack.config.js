import { host } from '../rspack.base.js'
import routes from './routes.json' with { type: 'json' }

export default host({ dir: import.meta.dirname, routes })
