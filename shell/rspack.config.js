import { host } from '@anniversary/build'
import routes from '@anniversary/shared/campaign/routes.json' with { type: 'json' }
import event from '@anniversary/shared/campaign/texts.json' with { type: 'json' }

export default host({ dir: import.meta.dirname, routes, site: event })
