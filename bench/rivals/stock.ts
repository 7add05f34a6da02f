// Modules that are shared and not eager can be imported behind an asynchronous boundary only.
import('./stock-plain.tsx')
