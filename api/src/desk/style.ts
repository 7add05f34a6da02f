import { hash } from 'node:crypto'
import { Html } from '@anniversary/shared/html-template'

const STYLE = `body{margin:0;background:#fff;color:#1b1b1b;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:60rem;margin:auto;padding:1rem}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
label{flex:1 0 100%}
input{flex:1 1 12rem;min-width:0}
input,button{min-height:2.75rem;padding:0 1rem;border:1px solid #555;border-radius:.5rem;font:inherit}
button{background:#7a1020;color:#fff;font-weight:700}
:focus-visible{outline:3px solid #1457b8;outline-offset:2px}
ul{padding:0;list-style:none}
li{padding:.3rem 0;border-bottom:1px solid #bbb}
.alarm{color:#a00010;font-weight:700}`

export const DESK_STYLE = new Html(STYLE)

export const DESK_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
