/** Host names of this machine, for which http is as safe as https. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/
