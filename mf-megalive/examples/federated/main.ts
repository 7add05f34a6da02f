// Asynchronous on purpose: the shared React is ready before the page asks for it.
import('./page.tsx')
