import { startControl } from './app.ts'

// The page that this is a part of holds it (../page.ts).
startControl(JSON.parse(document.getElementById('state')?.textContent ?? 'null'))
