import '../../shell/src/layout/webfont.css'
import { renderStock } from './stock-app.tsx'

renderStock()
