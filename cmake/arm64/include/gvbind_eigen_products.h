// Eigen includes this file after its code for ARM64 and before its products of matrices. Where a
// product and a sum are one instruction, it multiplies three packets of rows at once, not two as on
// x86-64, and with another number of rows it adds in another order.
#undef EIGEN_HAS_SINGLE_INSTRUCTION_MADD
