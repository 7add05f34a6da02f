/** Ids of the JSON blocks that `deploy` writes into every page and the shell reads. */
export const COMPOSITION_ELEMENT_ID = 'composition'
export const CONFIG_ELEMENT_ID = 'config'
