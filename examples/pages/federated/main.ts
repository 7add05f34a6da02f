// Asynchronous, so that the shared React is ready before the page imports it.
import('./page.tsx')
