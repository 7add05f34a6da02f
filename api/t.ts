import { PGlite } from '@electric-sql/pglite'

const cpu = () => {
  const u = process.cpuUsage()
  return (u.user + u.system) / 1e6
}
let a = cpu()
let t = performance.now()
const p = await PGlite.create()
console.log('create cpu', cpu() - a, performance.now() - t)
a = cpu()
t = performance.now()
const b = await p.dumpDataDir('none')
console.log('dump', cpu() - a, b.size)
a = cpu()
t = performance.now()
const q = await PGlite.create({ loadDataDir: b })
console.log('load cpu', cpu() - a, performance.now() - t)
a = cpu()
console.log(await q.query('select 1'))
const _r = await PGlite.create({ loadDataDir: b })
console.log('load cpu', cpu() - a)
