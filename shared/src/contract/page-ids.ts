/* Ids in a page: the JSON blocks, the app's root, copies of the host's scripts, the message that they fail, a preview's banner. */

export const composition = 'composition'
export const config = 'config'
export const styles = 'styles'
export const root = 'root'
export const scripts = 'scripts'
export const failed = 'failed'
export const preview = 'preview'
export const main = 'main'
