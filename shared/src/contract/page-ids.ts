/*
 * Ids in a page: the JSON blocks, the app's root, copies of the host's scripts,
 * the message that they fail, a preview's banner.
 */

export const compositionData = 'composition'
export const configData = 'config'
export const firstStyles = 'styles'
export const appRoot = 'root'
export const hostScripts = 'scripts'
export const failedMessage = 'failed'
export const previewBanner = 'preview'
export const mainContent = 'main'
