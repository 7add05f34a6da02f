;(() => {
  'use strict'
  var e = {
      288(e, s, l) {
        e.exports = l.p + 'background.9c804518.svg'
      },
      29(e, s, l) {
        e.exports = l.p + 'rosette.483f49ef.svg'
      },
      217(e, s, l) {
        e.exports = l.p + 'waves.005e4ca3.svg'
      },
    },
    s = {}
  function l(a) {
    var t = s[a]
    if (void 0 !== t) return t.exports
    var r = (s[a] = { exports: {} })
    return (e[a](r, r.exports, l), r.exports)
  }
  ;(l.d = (e, s, a) => {
    var t = (s, a) => {
      for (var t in s) l.o(s, t) && !l.o(e, t) && Object.defineProperty(e, t, { enumerable: !0, [a]: s[t] })
    }
    t(s, 'get'), t(a, 'value')
  }),
    (l.o = (e, s) => Object.hasOwn(e, s)),
    (l.r = (e) => {
      'u' > typeof Symbol &&
        Symbol.toStringTag &&
        Object.defineProperty(e, Symbol.toStringTag, { value: 'Module' }),
        Object.defineProperty(e, '__esModule', { value: !0 })
    }),
    (l.p = '%BASE%/')
  var a = {}
  ;(() => {
    l.r(a), l.d(a, { renderSkeleton: () => L })
    var e = {}
    l.r(e), l.d(e, { Gj: () => N, VF: () => f, P2: () => b, Yl: () => p, HI: () => j, wm: () => u })
    var s = {}
    l.r(s),
      l.d(s, {
        cardPlace: () => z,
        cards: () => M,
        cover: () => E,
        form: () => U,
        formPlace: () => W,
        table: () => H,
        tablePlace: () => q,
      })
    const t = require('react/jsx-runtime'),
      r = require('react-dom/server'),
      i = l.p + 'wordmark-mobile.a6485a28.svg',
      h = 'Đến nội dung chính',
      n = 'Đại tiệc sinh nhật – Vé số may mắn',
      c = 'Hoàn thành nhiệm vụ, nhận vé số may mắn, trúng quà lớn mỗi kỳ quay.',
      o = 'Bắt đầu',
      m = 'Đăng ký quay số',
      d = 'Đăng nhập nhận vé',
      g = l.p + 'gate-login.ba33847b.svg',
      x = l.p + 'gate-megalive.0da4d0df.svg',
      v = l.p + 'gift.65fd3c99.svg'
    var p = 'shell-OTUyb',
      u = 'shell-WUUzM',
      j = 'shell-dGVxN',
      f = 'shell-ZlVpc',
      N = 'shell-UDVCW',
      b = 'shell-cklDV'
    const y = ({ Link: s }) =>
        (0, t.jsxs)('div', {
          className: p,
          children: [
            (0, t.jsx)('h1', {
              className: e.title,
              children: (0, t.jsx)('img', {
                className: u,
                src: i,
                alt: n,
                width: '420',
                height: '214',
                fetchPriority: 'high',
              }),
            }),
            (0, t.jsx)('p', { className: j, children: c }),
            (0, t.jsxs)('nav', {
              className: f,
              'aria-label': o,
              children: [
                (0, t.jsx)(s, {
                  to: '/megalive',
                  className: N,
                  children: (0, t.jsx)('img', { src: x, alt: m, width: '280', height: '372' }),
                }),
                (0, t.jsx)(s, {
                  to: '/login',
                  className: N,
                  children: (0, t.jsx)('img', { src: g, alt: d, width: '280', height: '372' }),
                }),
              ],
            }),
            (0, t.jsx)('img', {
              className: b,
              src: v,
              alt: '',
              width: '240',
              height: '180',
              loading: 'lazy',
            }),
          ],
        }),
      k = l.p + 'bottom.57e8a10c.svg'
    var w = 'shell-MTJHV'
    const P = l.p + 'side-frame.31e812a0.svg',
      S = l.p + 'wordmark-desktop.d3877bc2.svg',
      V = 'main',
      T = ({ children: e, cover: s = !1 }) =>
        s
          ? (0, t.jsx)('main', { id: V, className: 'shell-RnhXZ', tabIndex: -1, children: e })
          : (0, t.jsxs)('div', {
              className: 'shell-emJnd',
              children: [
                (0, t.jsx)('a', { className: 'shell-bmpPd', href: `#${V}`, children: h }),
                (0, t.jsx)('img', {
                  className: w,
                  src: P,
                  alt: '',
                  width: '200',
                  height: '1080',
                  loading: 'lazy',
                }),
                (0, t.jsx)('img', {
                  className: `${w} shell-TWhaW`,
                  src: P,
                  alt: '',
                  width: '200',
                  height: '1080',
                  loading: 'lazy',
                }),
                (0, t.jsx)('header', {
                  className: 'shell-OFNXW',
                  children: (0, t.jsxs)('picture', {
                    children: [
                      (0, t.jsx)('source', {
                        media: '(max-width: 1200px)',
                        srcSet: i,
                        width: '420',
                        height: '214',
                      }),
                      (0, t.jsx)('img', {
                        className: 'shell-SENza',
                        src: S,
                        alt: n,
                        width: '760',
                        height: '124',
                      }),
                    ],
                  }),
                }),
                (0, t.jsx)('main', { id: V, className: 'shell-QUVRY', tabIndex: -1, children: e }),
                (0, t.jsx)('img', {
                  className: 'shell-cERLa',
                  src: k,
                  alt: '',
                  width: '640',
                  height: '160',
                  loading: 'lazy',
                }),
              ],
            }),
      O = ({ width: e, height: s, className: l }) =>
        (0, t.jsx)('span', {
          className: ((...e) => e.filter(Boolean).join(' '))('shell-OWxTS', l),
          style: e || s ? { width: e, height: s } : void 0,
          'aria-hidden': 'true',
        })
    var U = 'shell-UnlIR',
      M = 'shell-TDVMX',
      W = 'shell-WlFoM',
      z = 'shell-WVU0V',
      q = 'shell-dGFGd',
      H = 'shell-ZnE3c',
      E = 'shell-TkNyU'
    const F = ({ kind: e = 'form' }) =>
      (0, t.jsxs)('div', {
        className: s[e],
        role: 'status',
        children: [
          (0, t.jsx)('span', { className: 'shell-eUxud', children: 'Đang tải…' }),
          'form' === e && (0, t.jsx)(O, { className: W }),
          'cards' === e && ['a', 'b', 'c', 'd', 'e', 'f'].map((e) => (0, t.jsx)(O, { className: z }, e)),
          'table' === e && (0, t.jsx)(O, { className: q }),
        ],
      })
    var G = JSON.parse(
      '{"/":{"title":"Trang chủ","cover":true},"/megalive":{"title":"Đăng ký tham dự","remote":"mf-megalive","expose":"./MegalivePage","cover":true},"/login":{"title":"Đăng nhập","remote":"mf-auth","expose":"./LoginPage"},"/check":{"title":"Kiểm tra thông tin","remote":"mf-auth","expose":"./CheckPage"},"/home":{"title":"Nhiệm vụ","remote":"mf-missions","expose":"./HomePage","protected":true,"skeleton":"cards","chunks":["axios"]},"/histories":{"title":"Lịch sử nhận vé","remote":"mf-history","expose":"./HistoryPage","protected":true,"skeleton":"table","chunks":["axios"]}}',
    )
    const I = ({ to: e, ...s }) => (0, t.jsx)('a', { href: e, ...s })
    function L(e) {
      const s = G[e],
        l = !((e) => {
          const { remote: s, expose: l } = G[e] ?? {}
          return s && l ? { remote: s, expose: l } : null
        })(e)
          ? (0, t.jsx)(y, { Link: I })
          : (0, t.jsx)(F, { kind: s?.skeleton ?? (s?.cover ? 'cover' : 'form') })
      return (0, r.renderToStaticMarkup)((0, t.jsx)(T, { cover: s?.cover ?? !1, children: l }))
    }
  })(),
    (module.exports = a)
})()
