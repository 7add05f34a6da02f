/** Ids of the JSON blocks that `deploy` writes into every page, for the shell and for the page's inline script. */
export const COMPOSITION_ELEMENT_ID = 'composition'
export const CONFIG_ELEMENT_ID = 'config'
export const STYLES_ELEMENT_ID = 'styles'

/** Of the root element: the path in front of the page's route. Only a preview has one (`deploy preview`). */
export const BASE_ATTRIBUTE = 'data-base'

/** Such a block. It is never run, so the policy allows it. `<` is escaped: no text can end the block. */
export const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
