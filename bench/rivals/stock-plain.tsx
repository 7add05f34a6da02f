import { renderStock } from './stock-app.tsx'

document.documentElement.setAttribute('data-typeface', '')
renderStock()
