import { host } from '@anniversary/build'
import routes from '@anniversary/shared/campaign/routes.json' with { type: 'json' }
import event from '@anniversary/shared/campaign/texts.json' with { type: 'json' }

const { name, description, cardAlt, themeColor } = event

export default host({
  dir: import.meta.dirname,
  routes,
  site: { name, description, cardAlt, themeColor },
})
