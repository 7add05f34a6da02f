// Shared modules that are not eager can only be imported behind an asynchronous
// boundary.
import('./stock-plain.tsx')
