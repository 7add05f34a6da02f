// biome-ignore-all lint: a script as such pages have them: globals, extended prototypes, markup from strings.
Array.prototype.last = function () {
  return this[this.length - 1]
}
Object.prototype.isEmpty = function () {
  return Object.keys(this).length === 0
}
jQuery(function ($) {
  var live = $('#tab-live')
  live.html('<mega-live src="' + live.data('live') + '" back-href="/"></mega-live>')
  $('#tab-rules').hide()
  $('#tabs a').click(function () {
    $('.tab').hide()
    $($(this).attr('href')).show()
    return false
  })
  $(document).on('mega-live-ready', function (event) {
    $('#wrapper').attr('data-ready', event.originalEvent.detail.by)
  })
})
