/**
 * Version of the host port, the one prop of a remote's page and all that it gets from the shell. Major breaks, minor
 * adds; `deploy` refuses a remote whose version the deployed shell does not offer. To change: docs/guides/contract.md.
 */
export const HOST_CONTRACT = '1.0'
/** True for a failed call of `ClientApi`. By name, because `instanceof` fails across bundles. */
export const isApiError = (error) => error instanceof Error && error.name === 'ApiError'
