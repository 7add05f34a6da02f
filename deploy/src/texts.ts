const TIME = new Intl.DateTimeFormat('vi-VN', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Asia/Ho_Chi_Minh',
})

export const pageTexts = {
  noScript:
    'Trang này cần JavaScript. Vui lòng bật JavaScript trong trình duyệt rồi tải lại trang.',
  oldBrowser:
    'Trình duyệt này quá cũ nên trang hiển thị không đúng. Vui lòng cập nhật Chrome và Android System WebView trong CH Play (iPhone: cập nhật iOS), hoặc mở link này bằng Chrome hay Safari bản mới.',
  noCode: 'Trang tải lâu hơn bình thường.',
  /** It asks for no reload, which would lose what was typed. */
  failedToStart: 'Trang chưa tải xong và đang tự thử lại. Nội dung bạn đã nhập vẫn được giữ.',
  reload: 'Tải lại trang',
  unavailable: 'Hệ thống đang khởi động lại. Vui lòng tải lại sau ít phút.',
  notFound: 'Không tìm thấy tệp.',
  badRequest: 'Đường dẫn không hợp lệ.',
  methodNotAllowed: 'Phương thức không được hỗ trợ.',
  tooMany: 'Hệ thống đang nhận quá nhiều yêu cầu. Vui lòng thử lại sau ít giây!',
  tooLarge: 'Dữ liệu gửi lên quá lớn. Vui lòng chia nhỏ rồi gửi lại.',
  preview: (what: string, until: Date) =>
    `Bản xem trước của ${what}, có hiệu lực đến ${TIME.format(until)}. Mọi thao tác ở đây đều là thật.`,
  liveSite: 'Về trang chính thức',
  failed: 'Đã có lỗi trên máy chủ. Vui lòng thử lại sau.',
}
