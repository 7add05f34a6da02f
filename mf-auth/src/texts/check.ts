/** Vietnamese texts of /check, exact where the specification has them. */
export const texts = {
  title: 'Kiểm tra thông tin',
  by: 'Kiểm tra theo',
  byUsername: 'Tên đăng nhập',
  byCode: 'Mã dự thưởng',
  submit: 'KIỂM TRA NGAY',
  back: 'QUAY VỀ',
  missing: 'Vui lòng nhập thông tin tìm kiếm để tiếp tục!',
  answer: 'Kết quả kiểm tra',
  asked: 'Nội dung kiểm tra',
  searching: 'Đang kiểm tra…',
  stage: 'Giai đoạn',
  stageNumber: (stage: number) => `Giai đoạn ${stage}`,
  tickets: (count: number) => `${count} vé`,
  noTickets: 'Chưa có vé nào được ghi nhận cho tên đăng nhập này.',
  validCode: 'Mã hợp lệ: đây là mã dự thưởng của sự kiện.',
  invalidCode: 'Không tìm thấy mã này trong danh sách mã dự thưởng của sự kiện.',
  mission: 'Nhiệm vụ',
  time: 'Thời gian nhận',
  owner: 'Chủ vé',
  unsupported:
    'Hiện chưa thể tra cứu trực tuyến. Vui lòng đăng nhập để xem vé của bạn hoặc liên hệ bộ phận chăm sóc khách hàng.',
}
